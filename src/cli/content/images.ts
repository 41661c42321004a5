import { join } from 'node:path'
import { countImages } from '#database/catalog/image-rows.ts'
import { completeAllImages } from '#shop/content/image-sizes.ts'
import { singleCommand } from '../shared/command-group.ts'
import { counted, fail } from '../shared/messages.ts'

export const imagesCommand = singleCommand('images', {
  usage: '[--make]',
  summary:
    'Shows how many images still lack sizes. A running shop makes them in the background; --make makes them now.',
  example: '--make',
  options: { make: { type: 'boolean', what: 'makes the missing sizes now' } },
  words: [0, 0],
  async run(_, { make }, context) {
    const { dataDir, progress, say, print, ...tools } = context
    let failed = 0
    if (make === true) {
      failed = await completeAllImages(
        tools,
        join(dataDir, 'media'),
        (made, of) => progress(`Making sizes: ${made} of ${of} images`),
        (id, error) => say(`Warning: the sizes of image ${id} could not be made: ${reasonOf(error)}`),
      )
      progress('')
    }
    const { all, unfinished } = await countImages(tools.db.kysely)
    print(`${counted(all, 'image')}: ${all - unfinished} complete, ${unfinished} without all sizes.`)
    return failed > 0 ? fail(context, `${counted(failed, 'image')} could not be completed. Run the command again.`) : 0
  },
})

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
