import { resolve } from 'node:path'
import { build, type Plugin, type Rollup } from 'vite'

/** What Vite makes of one entry: file name → code, the entry's name, and the files it needs before anything is loaded later. */
export type Bundle = { files: ReadonlyMap<string, string>; entry: string; eager: readonly string[] }

const root = resolve(import.meta.dirname, '../../..')

const built = new Map<string, Promise<Bundle>>()

/** A browser entry as production has it, built in memory once for all files of a worker: sources stay as they are while tests run. */
export function bundle(entry: string): Promise<Bundle> {
  const made = built.get(entry) ?? bundleAnew(entry)
  built.set(entry, made)
  return made
}

async function bundleAnew(entry: string): Promise<Bundle> {
  const eagerModules = new Set<string>()
  const output = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [noteEager(resolve(root, entry), eagerModules)],
    base: '/assets/',
    define: { 'process.env.NODE_ENV': '"production"' },
    // The test runner's own mode would compile JSX for React's development build.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      write: false,
      modulePreload: { polyfill: false },
      rollupOptions: {
        input: resolve(root, entry),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          // In one piece, as `vite.config.ts` has it, or the bundler cuts it by what later chunks share with it.
          codeSplitting: { groups: [{ name: (id: string) => (eagerModules.has(id) ? 'entry' : null) }] },
        },
      },
    },
  })
  // Proof of the cast: without watch mode and with one output, Vite answers with that output.
  const chunks = (output as Rollup.RollupOutput).output.filter((it) => it.type === 'chunk')
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const main = chunks.find((chunk) => chunk.isEntry)
  if (!main) throw new Error(`${entry} has no entry chunk`)
  const eager = new Set<string>()
  const visit = (fileName: string) => {
    if (eager.has(fileName)) return
    eager.add(fileName)
    for (const imported of byName.get(fileName)?.imports ?? []) visit(imported)
  }
  visit(main.fileName)
  return {
    files: new Map(chunks.map((chunk) => [chunk.fileName, chunk.code])),
    entry: main.fileName,
    eager: [...eager],
  }
}

/** Fills `modules` with what the entry imports without waiting. */
function noteEager(entry: string, modules: Set<string>): Plugin {
  return {
    name: 'note-eager',
    renderStart() {
      const follow = (id: string) => {
        if (modules.has(id)) return
        modules.add(id)
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) follow(imported)
      }
      follow(entry)
    },
  }
}
