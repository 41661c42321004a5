import { readFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const maps = new Map<string, Promise<SourceMap | null>>()

/**
 * A stack with the files and lines that were written, where the built file's have a map beside them. The map is read when it is
 * first asked for: in memory from the start it takes megabytes, and most processes never need it.
 */
export async function sourceStack(stack: string): Promise<string> {
  const lines = stack.split('\n')
  return (await Promise.all(lines.map(sourceLine))).join('\n')
}

async function sourceLine(line: string): Promise<string> {
  const [, before, url, row, column, after] = /^(\s+at .*?)(file:\/\/[^\s()]+?\.js):(\d+):(\d+)(\)?)$/.exec(line) ?? []
  if (url === undefined || url.includes('/node_modules/')) return line
  const file = fileURLToPath(url)
  const map = await mapOf(file)
  // Not `findOrigin`, which counts on from there: what was minified has other columns.
  const origin = map?.findEntry(Number(row) - 1, Number(column) - 1)
  if (!origin || !('originalSource' in origin) || origin.originalSource === undefined) return line
  const source = resolve(dirname(file), origin.originalSource)
  return `${before}${source}:${origin.originalLine + 1}:${origin.originalColumn + 1}${after}`
}

function mapOf(file: string): Promise<SourceMap | null> {
  const known = maps.get(file)
  if (known) return known
  const map = readFile(`${file}.map`, 'utf8')
    .then((text) => new SourceMap(JSON.parse(text)))
    // A file that was not built has none, and one that is no map must not hide the error that is being told.
    .catch(() => null)
  maps.set(file, map)
  return map
}
