/** The message for a slow provider appears after this time. */
export const slowAfterMs = 3000
/** The shopper is no longer blocked after this time. The page still waits for the result. */
export const lateAfterMs = 12_000
/** Content of the provider's frames is rendered within this time, or never. */
export const renderedWithinMs = 20_000

/** @throws when `work` takes longer; it goes on, and its result is ignored */
export async function within<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not there after ${timeoutMs} ms`)), timeoutMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
