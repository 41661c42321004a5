import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const sources = ['src', 'vite.config.ts', 'package.json', 'package-lock.json', 'tsconfig.json']

/**
 * The digest of the sources of the last build, and of their sizes and times as a short cut. `dist/cli/sources.json` is a
 * second record, for another question: `npm start` builds after any change and compares contents, because a checkout
 * changes all times and a build takes many seconds; a command chooses in a few milliseconds between the bundle and the
 * sources, by its own sources alone, also in the container image, which Vite builds without this folder.
 */
const recordOf = (root) => join(root, 'dist/.built')

/** Whether the last build was made of the sources as they are now. */
export function isBuilt(root) {
  const built = lastBuild(root)
  if (!built) return false
  const files = sourceFiles(root)
  const times = digestOfTimes(files)
  if (built.times === times) return true
  if (built.content !== digestOfContent(root, files)) return false
  // A copy, a checkout or a touch changes times and nothing else.
  writeFileSync(recordOf(root), JSON.stringify({ ...built, times }))
  return true
}

/** Runs a build and records what it was made of. What changes while it runs is built the next time. */
export function recorded(root, build) {
  const files = sourceFiles(root)
  const taken = { content: digestOfContent(root, files), times: digestOfTimes(files) }
  rmSync(recordOf(root), { force: true })
  build()
  mkdirSync(dirname(recordOf(root)), { recursive: true })
  writeFileSync(recordOf(root), JSON.stringify(taken))
}

/** @returns null when nothing was built, or a build was interrupted */
function lastBuild(root) {
  try {
    return JSON.parse(readFileSync(recordOf(root), 'utf8'))
  } catch {
    return null
  }
}

/** Every file that goes into a build, in a fixed order. */
function sourceFiles(root) {
  const found = []
  const add = (path) => {
    const facts = statSync(join(root, path))
    if (!facts.isDirectory()) {
      found.push({ path, size: facts.size, mtimeMs: facts.mtimeMs })
      return
    }
    for (const name of readdirSync(join(root, path)).sort()) if (!/\.test\.tsx?$/.test(name)) add(`${path}/${name}`)
  }
  for (const source of sources) add(source)
  return found
}

const digest = (parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')
const digestOfTimes = (files) => digest(files.map(({ path, size, mtimeMs }) => `${path}\0${size}\0${mtimeMs}\n`))
const digestOfContent = (root, files) =>
  digest(files.flatMap(({ path, size }) => [`${path}\0${size}\n`, readFileSync(join(root, path))]))
