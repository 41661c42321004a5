// Writes the tables of states and address formats from their sources. Run it after one of the sources has changed.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

const { dataFiles } = await import('./address-data/files.ts')
for (const { path, content } of dataFiles) {
  writeFileSync(join(root, path), await content())
  console.log(`wrote ${path}`)
}
