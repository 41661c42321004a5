/** What is said meanwhile, when nothing of the provider's has come. */
export const slowAfterMs = 3000
/** Nobody is kept longer by what may never come. It is awaited all the same. */
export const lateAfterMs = 12_000
/** What the provider draws in a frame is there by then, or does not come any more. */
export const renderedWithinMs = 20_000

/** @throws when `work` takes longer; it goes on, and nobody hears how it ends */
export async function within<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not there after ${timeoutMs} ms`)), timeoutMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
