import { type ChildProcess, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { sharePicturesDue } from '#shop/content/due-share-pictures.ts'
import type { Tools } from '#shop/shared/tools.ts'

const firstMs = 10_000
const everyMs = 60_000

type Options = {
  readonly tools: Tools
  /** The program's folder. */
  readonly root: string
  readonly dataDir: string
  readonly databaseUrl: string
  readonly variables: Readonly<Record<string, string | undefined>>
}

/**
 * Generates share images when products, categories or the theme have changed. It uses a child process of low priority:
 * each image takes memory and a tenth of a second, and must not delay requests.
 */
export function generateSharePictures({ tools, root, dataDir, databaseUrl, variables }: Options): {
  stop(): Promise<void>
} {
  const mediaDir = join(dataDir, 'media')
  let child: ChildProcess | null = null
  const look = async () => {
    if (child || !(await sharePicturesDue(tools, mediaDir))) return
    const started = spawn(execPath, ['src/cli/main.ts', 'share-pictures'], {
      cwd: root,
      env: { ...variables, DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
      stdio: 'ignore',
    })
    child = started
    started.once('error', (error) => tools.log.warn({ error: String(error) }, 'share images could not be generated'))
    started.once('close', () => {
      child = null
    })
    if (started.pid !== undefined) lowerPriority(started.pid)
  }
  const lookNow = () =>
    look().catch((error: unknown) => tools.log.warn({ error: String(error) }, 'share images could not be generated'))
  const first = setTimeout(lookNow, firstMs).unref()
  const timer = setInterval(lookNow, everyMs).unref()
  return {
    async stop() {
      clearTimeout(first)
      clearInterval(timer)
      // An interrupted image is generated next time.
      child?.kill()
    },
  }
}

/** Lowers the priority of a process, where the system permits it; otherwise it runs as usual. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // Sandboxes refuse it, and the process may have ended.
  }
}
