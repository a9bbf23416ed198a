/**
 * The Content-Security-Policy of the window, whichever host serves it: nothing from elsewhere, nothing inline, no frame.
 */

/** `connect`: origins besides the page's own that it may speak to. */
export function pagePolicy(connect: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "worker-src 'self'",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
