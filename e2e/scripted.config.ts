/**
 * Builds scripted.html: the window with its scripted engine, for pictures and tests. Built, not served from source: a
 * file that is saved meanwhile must not reload the page, and what is measured is what is shipped.
 */
export default {
  root: 'renderer',
  base: '/',
  publicDir: false,
  logLevel: 'error',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 5000,
    rolldownOptions: { input: 'renderer/scripted.html' },
  },
};
