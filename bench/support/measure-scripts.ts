import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

// Not by way of the tests' shop: a bench runs without what reads its pages' sources.
const clientFolder = join(import.meta.dirname, '../../dist/client')
const folder = 'src/web/browser/adapters/measure/'

/** The files of the build that ask for consent and measure: manifest's name → address. They have a budget of their own. */
export async function measureScripts(): Promise<ReadonlyMap<string, string>> {
  const manifest: Record<string, { file: string }> = JSON.parse(
    await readFile(join(clientFolder, '.vite/manifest.json'), 'utf8'),
  )
  return new Map(
    Object.entries(manifest)
      .filter(([name]) => name.startsWith(folder))
      .map(([name, { file }]) => [name.slice(folder.length), `/${file}`]),
  )
}
