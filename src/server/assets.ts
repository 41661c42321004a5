import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    css: z.array(z.string()).optional(),
    isEntry: z.boolean().optional(),
    imports: z.array(z.string()).optional(),
  }),
)

/** Addresses of what the build made, for the heads of pages. */
export type Assets = { readonly css: readonly string[]; readonly script: string; readonly preload: readonly string[] }

const scriptEntry = 'src/web/browser/main.ts'
const styleEntry = 'src/web/styles/main.css'

/** @throws when there is no build in `folder`, saying how to make one */
export async function readAssets(folder: string): Promise<Assets> {
  const path = join(folder, '.vite/manifest.json')
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`there is no build in ${folder}: run "npm run build"`)
  })
  const entries = manifest.parse(JSON.parse(text))
  const script = entries[scriptEntry]
  const style = entries[styleEntry]
  if (!script) throw new Error(`the build in ${folder} lacks ${scriptEntry}`)
  const address = (file: string) => `/${file}`
  return {
    css: [...(style ? [style.file] : []), ...(script.css ?? [])].map(address),
    script: address(script.file),
    preload: (script.imports ?? []).flatMap((name) => entries[name]?.file ?? []).map(address),
  }
}
