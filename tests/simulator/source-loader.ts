import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'rolldown/utils'
import { type PlantedBug, planted } from './planted/planted-bug.ts'

const root = join(import.meta.dirname, '../..')

/** Lets Node read the shop's sources, pages included, as they stand, or with one bug planted in what is read. */
export function readSources(bug: PlantedBug | null): void {
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith('file:') || url.includes('/node_modules/') || !/\.tsx?$/.test(url)) return next(url, context)
      const file = fileURLToPath(url)
      const text = readFileSync(file, 'utf8')
      const source = bug && file === join(root, bug.file) ? planted(bug, text) : text
      // Node strips types by itself; pages it cannot read.
      if (file.endsWith('.ts')) return { format: 'module-typescript', source, shortCircuit: true }
      const { code, errors } = transformSync(file, source, { jsx: { runtime: 'automatic' }, target: 'esnext' })
      if (errors.length > 0) throw new Error(`${file} cannot be read: ${JSON.stringify(errors[0])}`)
      return { format: 'module', source: code, shortCircuit: true }
    },
  })
}
