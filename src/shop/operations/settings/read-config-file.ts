import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RuleFault } from '#contract/shared/merchant-rules.ts'
import { shortDigest } from '../../shared/digest.ts'
import { lineOf, memberLines } from './config-file-lines.ts'

/** Faults of the configuration file, one line each: file, line, member and problem. */
export class ConfigFileError extends Error {
  override readonly name = 'ConfigFileError'
}

export type ConfigFile = {
  /** The file's export, of any type. */
  readonly config: unknown
  /** Creates an error of faults in the export, with their lines. */
  describe(faults: readonly RuleFault[]): ConfigFileError
}

/**
 * Imports the merchant's file as a Node module: TypeScript is supported, except for syntax that needs a compiler
 * (enums).
 * @throws ConfigFileError if it is missing, has a syntax error, throws, or exports nothing
 */
export async function readConfigFile(file: string): Promise<ConfigFile> {
  const name = basename(file)
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ConfigFileError(`there is no file ${file}`)
  })
  let exported: unknown
  try {
    // With a digest in the URL, because Node caches modules by URL.
    const module: unknown = await import(/* @vite-ignore */ `${pathToFileURL(file).href}?${shortDigest(text)}`)
    exported = typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined
  } catch (error) {
    throw new ConfigFileError(
      `${name}${placeIn(error, file)}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  if (exported === undefined)
    throw new ConfigFileError(`${name} exports nothing: write export default defineShop({ … })`)
  const lines = memberLines(text)
  return {
    config: exported,
    describe: (faults) =>
      new ConfigFileError(
        faults
          .map(({ key, problem }) => {
            const line = lineOf(lines, key)
            return `${[name, line && `line ${line}`, key].filter(Boolean).join(', ')}: ${problem}`
          })
          .join('\n'),
      ),
  }
}

/**
 * Returns `, line 12` if the error contains it: Node puts the location of a syntax error on the first line of the
 * stack.
 */
function placeIn(error: unknown, file: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const at = stack.indexOf(file)
  const line = at < 0 ? undefined : /^(?:\?\w+)?:(\d+)/.exec(stack.slice(at + file.length))?.[1]
  return line === undefined ? '' : `, line ${line}`
}
