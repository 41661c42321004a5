import process from 'node:process'
import { readOriginal } from '#shop/content/image-sizes.ts'
import { resizeImage } from '#shop/content/resize-images.ts'
import { systemChance } from '../operations/startup/environment.ts'
import { encodeRequest } from './image-encoder.ts'

/** The process of `createImageEncoder`: encodes what it is asked for and answers what was made, or why nothing was. */
process.on('message', async (message) => {
  const { mediaDir, hash } = encodeRequest.parse(message)
  try {
    process.send?.({ image: await resizeImage(await readOriginal(mediaDir, hash), mediaDir, systemChance) })
  } catch (error) {
    process.send?.({ error: String(error) })
  }
})
// A terminal sends its Ctrl-C to the shop and to this process; the shop waits for the picture.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
// Without the shop nobody asks any more.
process.on('disconnect', () => process.exit())
