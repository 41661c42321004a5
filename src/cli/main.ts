import { readFileSync, statSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '../..')
const built = join(root, 'dist/cli')

/**
 * Returns true if a build has bundled the commands and no source of the bundle has changed since. The record of
 * `scripts/build-record.mjs` cannot answer this: it covers all 1,400 sources and reads their contents where times differ,
 * which is too slow for each command, and the container image is built without it. A wrong "no" only costs time here.
 */
function isBuildCurrent(): boolean {
  try {
    const { mtimeMs: builtAt } = statSync(join(built, 'dispatch.js'))
    // The list is made by `vite.config.ts`: each source with its size.
    const sources: Readonly<Record<string, number>> = JSON.parse(readFileSync(join(built, 'sources.json'), 'utf8'))
    return Object.entries(sources).every(([file, bytes]) => {
      const { size, mtimeMs } = statSync(join(root, file))
      return size === bytes && mtimeMs <= builtAt
    })
  } catch {
    return false
  }
}

// The bundle starts in a fraction of the time: Node neither strips types nor resolves hundreds of files.
if (isBuildCurrent()) {
  enableCompileCache(process.env.NODE_COMPILE_CACHE || join(root, 'dist/.compiled'))
  await import(pathToFileURL(join(built, 'dispatch.js')).href)
} else await import('./dispatch.ts')
