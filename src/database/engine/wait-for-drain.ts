import { once } from 'node:events'
import type { Writable } from 'node:stream'

/**
 * Resolves when a full stream accepts more. Not raced against a promise of the whole transfer: each race would leak its
 * reactions until that settles, and a large database has a million chunks.
 * @throws the stream's error, past or future
 */
export async function waitForDrain(stream: Writable): Promise<void> {
  if (stream.errored) throw stream.errored
  await once(stream, 'drain')
}
