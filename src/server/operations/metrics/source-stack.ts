import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const sourceMap = z.object({ sources: z.array(z.string()), mappings: z.string() })
type SourceMap = z.infer<typeof sourceMap>

const maps = new Map<string, Promise<SourceMap | null>>()

/**
 * Maps a stack to source files and lines, where built files have a source map. A map is read on first use: it needs
 * megabytes of memory, and most processes never use it.
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
  const origin = map && originOf(map, Number(row) - 1, Number(column) - 1)
  if (!origin) return line
  const source = resolve(dirname(file), origin.source)
  return `${before}${source}:${origin.line + 1}:${origin.column + 1}${after}`
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * Looks up a place of the built file in its map. Every number in a map counts on from the one before, so all lines before it
 * are read as well, but none is kept: Node's own reader keeps a million places, which take sixty megabytes.
 */
function originOf({ sources, mappings }: SourceMap, row: number, column: number) {
  let line = 0
  let found: { source: string; line: number; column: number } | null = null
  const segment: number[] = []
  // Column of the built file, then number of the source, line and column in it.
  const place = [0, 0, 0, 0]
  let value = 0
  let shift = 0
  const ended = () => {
    for (const [at, step] of segment.slice(0, 4).entries()) place[at] = (place[at] ?? 0) + step
    if (line === row && segment.length > 3 && (place[0] ?? 0) <= column) {
      const source = sources[place[1] ?? 0]
      found = source === undefined ? null : { source, line: place[2] ?? 0, column: place[3] ?? 0 }
    }
    segment.length = 0
  }
  for (const character of mappings) {
    if (character === ',' || character === ';') {
      ended()
      if (character === ',') continue
      if (line === row) break
      line += 1
      place[0] = 0
      continue
    }
    const digit = digits.indexOf(character)
    value += (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    segment.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  if (line === row && segment.length > 0) ended()
  return found as { source: string; line: number; column: number } | null
}

function mapOf(file: string): Promise<SourceMap | null> {
  const known = maps.get(file)
  if (known) return known
  const map = readFile(`${file}.map`, 'utf8')
    .then((text) => sourceMap.parse(JSON.parse(text)))
    // A file that was not built has none, and one that is no map must not hide the error that is being told.
    .catch(() => null)
  maps.set(file, map)
  return map
}
