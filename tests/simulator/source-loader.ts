import { globSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformWithOxc } from 'vite'
import { type PlantedBug, planted } from './planted/planted-bug.ts'

const root = join(import.meta.dirname, '../..')

/** Lets Node read the shop's sources, pages included, as they stand, or with one bug planted in what is read. */
export async function readSources(bug: PlantedBug | null): Promise<void> {
  const source = (file: string) => {
    const text = readFileSync(file, 'utf8')
    return bug && file === join(root, bug.file) ? planted(bug, text) : text
  }
  // Node strips types by itself; pages it cannot read, and its hooks do not wait: so those are made ready before.
  const pages = new Map<string, string>()
  const files = globSync('src/**/*.tsx', { cwd: root }).map((file) => join(root, file))
  await Promise.all(
    files.map(async (file) => {
      const options = { jsx: { runtime: 'automatic' }, target: 'esnext' } as const
      pages.set(file, (await transformWithOxc(source(file), file, options)).code)
    }),
  )
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith('file:') || url.includes('/node_modules/') || !/\.tsx?$/.test(url)) return next(url, context)
      const file = fileURLToPath(url)
      if (file.endsWith('.ts')) return { format: 'module-typescript', source: source(file), shortCircuit: true }
      const page = pages.get(file)
      if (page === undefined) throw new Error(`${file} is no page of src`)
      return { format: 'module', source: page, shortCircuit: true }
    },
  })
}
