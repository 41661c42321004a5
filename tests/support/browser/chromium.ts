import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The one that only draws pages takes half the processor time of a whole browser without a window. */
const shell = 'chromium-headless-shell'
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export const isQuickest = (path: string | null) =>
  path !== null && (path.endsWith(shell) || path === process.env.CHROMIUM_PATH)

/** The browser's program: CHROMIUM_PATH, else the first on the path, else null. */
export function chromiumPath(): string | null {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere]
  return candidates.find((path) => existsSync(path)) ?? null
}
