import { z } from 'zod'
import { announceImages, completeImage, type EncodeImage, type ImageProgress } from '#shop/content/image-sizes.ts'
import type { Tools } from '#shop/shared/tools.ts'

const facts = z.object({ imageId: z.number().int() })

/** Makes the sizes that a picture lacks after its import; what fails is tried again by the queue. */
export function imageSizesJob(tools: Tools, mediaDir: string, encode: EncodeImage) {
  return async (payload: unknown): Promise<void> => {
    await completeImage(tools, mediaDir, facts.parse(payload).imageId, encode)
  }
}

/** Has pages made again for the pictures that were completed, and reports how many are left. */
export function announceImagesJob(tools: Tools, onProgress: (progress: ImageProgress) => void) {
  return async (): Promise<void> => {
    const progress = await announceImages(tools)
    if (!progress) return
    tools.log.info({ ...progress }, 'sizes of pictures were made')
    onProgress(progress)
  }
}
