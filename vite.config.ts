import { defineConfig } from 'vite';

/** The page as files that the server hands out: no inline script, no file inside another, nothing from elsewhere. */
export default defineConfig({
  root: 'src/web/page',
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: '../../../dist/web/page',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    target: 'es2022',
  },
});
