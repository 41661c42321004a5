import { once } from 'node:events'
import type { Writable } from 'node:stream'

/**
 * Resolves when a stream that is full takes more. Not raced against the end of the whole: what is raced stays with that promise
 * until it settles, and of a large database there are a million pieces.
 * @throws what breaks the stream, or broke it before
 */
export async function waitForDrain(stream: Writable): Promise<void> {
  if (stream.errored) throw stream.errored
  await once(stream, 'drain')
}
