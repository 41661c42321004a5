import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RuleFault } from '#contract/shared/merchant-rules.ts'
import { shortDigest } from '../../shared/digest.ts'
import { lineOf, memberLines } from './config-file-lines.ts'

/** What is wrong with the configuration file, a line for each fault: file, line, member and problem. */
export class ConfigFileError extends Error {
  override readonly name = 'ConfigFileError'
}

export type ConfigFile = {
  /** What the file exports, whatever that is. */
  readonly config: unknown
  /** The faults of what it exports, by their lines. */
  describe(faults: readonly RuleFault[]): ConfigFileError
}

/**
 * Runs the merchant's file, as Node runs any module: TypeScript included, but for what needs a compiler (enums).
 * @throws ConfigFileError when it is not there, cannot be read as code, throws, or exports nothing
 */
export async function readConfigFile(file: string): Promise<ConfigFile> {
  const name = basename(file)
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ConfigFileError(`there is no file ${file}`)
  })
  let exported: unknown
  try {
    // Named by its content: Node runs a module of one name once.
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

/** `, line 12` where the error says so: Node names the place of a fault in the code on the first line of the stack. */
function placeIn(error: unknown, file: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const at = stack.indexOf(file)
  const line = at < 0 ? undefined : /^(?:\?\w+)?:(\d+)/.exec(stack.slice(at + file.length))?.[1]
  return line === undefined ? '' : `, line ${line}`
}
