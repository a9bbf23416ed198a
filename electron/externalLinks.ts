/** Which addresses the window may hand to the user's browser: pages that its texts name, over https, and nothing else. */

const hosts: ReadonlySet<string> = new Set([
  'kubernetes.io',
  'book.kubebuilder.io',
  'sdk.operatorframework.io',
  'pkg.go.dev',
  'github.com',
]);

/** The address to open, normalised; undefined when it is not one of those. */
export function externalLink(address: string): string | undefined {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return undefined;
  }
  const plain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';
  return plain && hosts.has(url.hostname) ? url.href : undefined;
}
