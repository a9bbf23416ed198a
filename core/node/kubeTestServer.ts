/** Local servers for transport tests: real sockets and certificates, scripted answers. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export function testPem(name: string): string {
  return readFileSync(join(import.meta.dirname, 'kubeTestdata', name), 'utf8');
}

export interface TestServer {
  readonly url: URL;
  /** What came, in order. */
  readonly requests: IncomingMessage[];
  connections(): Promise<number>;
  close(): Promise<void>;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** `cert`: name of a certificate of kubeTestdata, absent for plain http. Asks for a client certificate, demands none. */
export async function startTestServer(answer: Answer, cert?: string): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const handle: Answer = (request, response) => {
    requests.push(request);
    answer(request, response);
  };
  const server: Server =
    cert === undefined
      ? createServer(handle)
      : createTlsServer(
          {
            cert: testPem(`${cert}.pem`),
            key: testPem(`${cert}.key`),
            ca: testPem('ca.pem'),
            requestCert: true,
            rejectUnauthorized: false,
          },
          handle,
        );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`${cert === undefined ? 'http' : 'https'}://127.0.0.1:${port}`),
    requests,
    connections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
