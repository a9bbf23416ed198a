/** The window: React below renderer/, built into dist/renderer. Fonts are bundled; nothing is loaded from elsewhere. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'renderer',
  base: '/',
  publicDir: false,
  plugins: [react()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2023',
    // The page's policy has no data: for fonts and no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Chunks that change at different times: the framework, the charts, and what is ours.
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|react-is|scheduler)[\\/]/,
              priority: 3,
            },
            {
              name: 'charts',
              test: /node_modules[\\/](recharts|d3-[a-z]+|victory-vendor|decimal\.js-light|immer|@reduxjs|react-redux|es-toolkit)[\\/]/,
              priority: 2,
            },
            {
              // What both need stays out of the charts, or the first page would load them.
              name: 'widgets',
              test: /node_modules[\\/](@base-ui|@floating-ui|@tanstack|use-sync-external-store|reselect|clsx)[\\/]/,
              priority: 3,
            },
          ],
        },
      },
    },
  },
});
