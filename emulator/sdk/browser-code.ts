import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

/**
 * Browser code as one plain script: types taken off, the files joined in the given order, their imports of each other
 * and the word `export` removed. So the files share one scope, and each name may be used once.
 */
export function browserCode(folder: URL, files: readonly string[]): string {
  return files
    .map((file) => withoutTypes(readFileSync(new URL(file, folder), 'utf8')))
    .map((code) => code.replace(/^import\b[^']*'[^']+'$/gm, '').replace(/^export (?=\w)/gm, ''))
    .map((code) => code.replace(/^[ \t]+$/gm, '').replace(/\n{3,}/g, '\n\n'))
    .join('\n')
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
