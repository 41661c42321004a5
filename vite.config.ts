import { cp } from 'node:fs/promises'
import { defineConfig, type Plugin } from 'vite'

/** SQL is read from disk at run time, from beside the code that asks: `import.meta.dirname` in the sources and in the bundle. */
function migrationsBesideServer(): Plugin {
  return {
    name: 'migrations-beside-server',
    applyToEnvironment: ({ name }) => name === 'ssr',
    async writeBundle() {
      await cp('src/database/migrations', 'dist/server/migrations', { recursive: true })
    },
  }
}

/** `vite build` makes both: what browsers load (one chunk per island) and the server (one file, packages left outside). */
export default defineConfig({
  appType: 'custom',
  publicDir: 'src/web/public',
  builder: {},
  plugins: [migrationsBesideServer()],
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        manifest: true,
        target: 'es2023',
        // Without a polyfill, and nothing inlined as data: addresses, which our content policy forbids.
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        rolldownOptions: {
          input: ['src/web/browser/main.ts', 'src/web/styles/main.css'],
          // React's parts come together with the first island or not at all: one request, and compressed as one.
          output: {
            codeSplitting: { groups: [{ name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\// }] },
          },
        },
      },
    },
    ssr: {
      build: {
        outDir: 'dist/server',
        ssr: true,
        target: 'node24',
        sourcemap: true,
        rolldownOptions: { input: { main: 'src/server/main.ts' }, output: { codeSplitting: false } },
      },
    },
  },
})
