import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { releaseLock, takeLock } from '#database/engine/embedded/process-lock.ts'
import { makeSharePictures } from '#shop/content/make-share-pictures.ts'
import type { Command } from '../shared/command.ts'

export const sharePicturesCommand: Command = {
  usage: 'share-pictures [--anew]',
  summary:
    'Makes the pictures by which products and categories show where a link is shared. A running shop does it by itself.',

  async run(args, { dataDir, say, print, progress, ...tools }) {
    const unknown = args.find((arg) => arg !== '--anew')
    if (unknown !== undefined) {
      say(`There is no option ${unknown}: share-pictures takes --anew, which makes also those that are there.`)
      return 2
    }
    const mediaDir = join(dataDir, 'media')
    await mkdir(mediaDir, { recursive: true })
    const lock = join(mediaDir, 'share-pictures.lock')
    const other = await takeLock(lock)
    if (other) {
      say(`They are being made by the process ${other.pid}.`)
      return 1
    }
    try {
      const report = await makeSharePictures(tools, mediaDir, {
        anew: args.length > 0,
        onProgress: (made, looked) => progress(`Making pictures for sharing: ${looked} looked at, ${made} made`),
      })
      progress('')
      const { made, kept, failed, removed } = report
      print(`${made} made, ${kept} were there, ${removed} old ones removed${failed > 0 ? `, ${failed} failed` : ''}.`)
      return failed > 0 ? 1 : 0
    } finally {
      await releaseLock(lock)
    }
  },
}
