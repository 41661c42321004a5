import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

/**
 * Browser code as one plain script: types taken off, the files joined in the given order, their imports of each other
 * and the word `export` removed. So the files share one scope, and each name may be used once: a second one throws here,
 * since the browser would quietly take the last function of a name for all.
 */
export function browserCode(folder: URL, files: readonly string[]): string {
  return files
    .map((file) => withoutTypes(readFileSync(new URL(file, folder), 'utf8')))
    .map((code) => code.replace(/^import\b[^']*'[^']+'$/gm, '').replace(/^export (?=\w)/gm, ''))
    .map((code) => code.replace(/^[ \t]+$/gm, '').replace(/\n{3,}/g, '\n\n'))
    .reduce(joined, '')
}

const NAMES = /^(?:async )?(?:function\*?|const|let|class) (\w+)/gm

function joined(before: string, code: string): string {
  const taken = new Set(Array.from(before.matchAll(NAMES), ([, name]) => name))
  for (const [, name] of code.matchAll(NAMES)) {
    if (taken.has(name)) throw new Error(`two files of the browser's code use the name ${name}`)
  }
  return `${before}\n${code}`
}

/** Node announces this function as experimental on the terminal; one line of that tells a shop's owner nothing. */
function withoutTypes(code: string): string {
  const announce = process.emitWarning
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(code)
  } finally {
    process.emitWarning = announce
  }
}
