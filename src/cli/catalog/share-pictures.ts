import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { releaseLock, takeLock } from '#database/engine/embedded/process-lock.ts'
import { makeSharePictures } from '#shop/content/make-share-pictures.ts'
import { singleCommand } from '../shared/command-group.ts'
import { counted, fail } from '../shared/messages.ts'

export const sharePicturesCommand = singleCommand('share-pictures', {
  usage: '[--anew]',
  summary:
    'Generates the share images of products and categories that are missing or outdated, as a running shop does by itself.',
  example: '--anew',
  options: { anew: { type: 'boolean', what: 'generates the existing ones again as well' } },
  words: [0, 0],
  async run(_, { anew }, context) {
    const { dataDir, say, print, progress, ...tools } = context
    const mediaDir = join(dataDir, 'media')
    await mkdir(mediaDir, { recursive: true })
    const lock = join(mediaDir, 'share-pictures.lock')
    const other = await takeLock(lock)
    if (other)
      return fail(context, `process ${other.pid} is generating share images already. Try again when it is done.`)
    try {
      const report = await makeSharePictures(tools, mediaDir, {
        anew: anew === true,
        onProgress: (made, looked) => progress(`Generating share images: ${looked} checked, ${made} generated`),
      })
      progress('')
      const { made, kept, failed, removed } = report
      print(`Generated ${counted(made, 'share image')}; ${kept} unchanged, ${removed} outdated ones removed.`)
      return failed > 0
        ? fail(context, `${counted(failed, 'share image')} could not be generated. Run the command again.`)
        : 0
    } finally {
      await releaseLock(lock)
    }
  },
})
