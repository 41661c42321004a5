import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { node, root, run, say } from './install.mjs'

const stamp = join(root, 'dist/.built')
const sources = ['src', 'vite.config.ts', 'package.json', 'package-lock.json', 'tsconfig.json']

/** Builds when a source is newer or other than at the last build. */
export function ensureBuilt() {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint()) return
  build()
}

export function build() {
  // Taken before: what changes while it builds is built the next time.
  const taken = fingerprint()
  rmSync(stamp, { force: true })
  const began = Date.now()
  say('Building the shop…')
  run(node, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'])
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(stamp, taken)
  say(`Built in ${((Date.now() - began) / 1000).toFixed(1)} s`)
}

/** Names, sizes and times of every file that goes into a build: a few milliseconds for some hundred files. */
function fingerprint() {
  const hash = createHash('sha256')
  for (const source of sources) addTo(hash, join(root, source))
  return hash.digest('hex')
}

function addTo(hash, path) {
  const { size, mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) {
    hash.update(`${path}\0${size}\0${mtimeMs}\n`)
    return
  }
  for (const name of readdirSync(path).sort()) {
    if (!/\.test\.tsx?$/.test(name)) addTo(hash, join(path, name))
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) build()
