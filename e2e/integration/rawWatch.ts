/** What a plain watch of the API server says, without any of the product: the truth that histories are compared with. */
import type { KubeClient, KubeJson } from '../testbed/kubeClient.ts';

export interface RawEvent {
  readonly type: string;
  readonly object: KubeJson;
}

/** The version a list of `path` has now. */
export async function versionNow(client: KubeClient, path: string): Promise<string> {
  const list = await client.json('GET', `${path}?limit=1`);
  const version = list.metadata?.resourceVersion;
  if (version === undefined) throw new Error(`${path} has no resourceVersion`);
  return version;
}

/** Every event of `path` after `version`, up to now: the server replays them and ends the watch after a second. */
export async function eventsSince(
  client: KubeClient,
  path: string,
  version: string,
): Promise<readonly RawEvent[]> {
  const answer = await client.request('GET', `${path}?watch=1&resourceVersion=${version}&timeoutSeconds=1`);
  if (answer.status !== 200) throw new Error(`watch ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
  return answer.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RawEvent);
}
