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
  /** The folder of the program. */
  readonly root: string
  readonly dataDir: string
  readonly databaseUrl: string
  readonly variables: Readonly<Record<string, string | undefined>>
}

/**
 * Has the pictures for sharing made when products, categories or the shop's looks have changed. In a process of its own that
 * everything else comes before: drawing takes memory and a tenth of a second each, and selling must not wait for it.
 */
export function keepSharePictures({ tools, root, dataDir, databaseUrl, variables }: Options): {
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
    started.once('error', (error) => tools.log.warn({ error: String(error) }, 'pictures for sharing are not made'))
    started.once('close', () => {
      child = null
    })
    if (started.pid !== undefined) lowerPriority(started.pid)
  }
  const lookNow = () =>
    look().catch((error: unknown) => tools.log.warn({ error: String(error) }, 'pictures for sharing are not made'))
  const first = setTimeout(lookNow, firstMs).unref()
  const timer = setInterval(lookNow, everyMs).unref()
  return {
    async stop() {
      clearTimeout(first)
      clearInterval(timer)
      // What it was at is made the next time.
      child?.kill()
    },
  }
}

/** Has a process wait while others have something to do, where the machine lets us say so; where not, it runs as they do. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // Sandboxes refuse it, and a process may have ended by now.
  }
}
