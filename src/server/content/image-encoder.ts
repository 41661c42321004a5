import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'
import type { EncodeImage } from '#shop/content/image-sizes.ts'
import type { ResizedImage } from '#shop/content/resize-images.ts'
import { lowerPriority } from '../catalog/share-pictures-process.ts'

/** The largest picture takes seconds; a process without an answer by then is stuck, and its queue would be too. */
const longestEncodingMs = 5 * 60_000

/** A process that has nothing to encode for this long ends. */
const idleMs = 20_000

const program = 'src/server/content/image-encoder-process.ts'

export const encodeRequest = z.object({ mediaDir: z.string(), hash: z.string() })

const image = z.object({
  hash: z.string(),
  width: z.number(),
  height: z.number(),
  placeholder: z.string(),
  widths: z.array(z.number()),
})
export const encodeAnswer = z.union([z.object({ image }), z.object({ error: z.string() })])

/**
 * Encodes pictures in a process of its own, at low priority: encoding takes memory and a second of a core each, and
 * selling must not wait for it. The process is started with the first picture and ends when there is none for a while.
 * @param rootFolder of the project: the bundle and the sources lie at different depths in it
 */
export function createImageEncoder(
  rootFolder: string,
  timeoutMs = longestEncodingMs,
): { encode: EncodeImage; stop(): Promise<void> } {
  let child: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined
  const end = () => {
    if (child?.connected) child.disconnect()
    child = null
  }
  const started = () => {
    if (child?.connected) return child
    const next = fork(join(rootFolder, program), { stdio: 'ignore', execArgv: [] })
    if (next.pid !== undefined) lowerPriority(next.pid)
    // The shop ends without waiting for it.
    next.unref()
    next.channel?.unref()
    child = next
    return next
  }
  return {
    async encode(mediaDir, hash) {
      clearTimeout(idle)
      try {
        return await asked(started(), { mediaDir, hash }, timeoutMs)
      } finally {
        idle = setTimeout(end, idleMs).unref()
      }
    },
    async stop() {
      clearTimeout(idle)
      end()
    },
  }
}

/** One request at a time: the queue runs one job of this kind after another. */
function asked(child: ChildProcess, request: z.infer<typeof encodeRequest>, timeoutMs: number): Promise<ResizedImage> {
  const { promise, resolve, reject } = Promise.withResolvers<ResizedImage>()
  const onMessage = (message: unknown) => {
    const answer = encodeAnswer.parse(message)
    if ('image' in answer) resolve(answer.image)
    else reject(new Error(answer.error))
  }
  const onEnd = () => reject(new Error(`the process that encodes pictures ended during ${request.hash}`))
  child.once('message', onMessage).once('exit', onEnd).once('error', onEnd)
  // Its end rejects the promise, and the next picture starts another process.
  const timeout = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  child.send(request)
  return promise.finally(() => {
    clearTimeout(timeout)
    child.off('message', onMessage).off('exit', onEnd).off('error', onEnd)
  })
}
