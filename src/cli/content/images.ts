import { join } from 'node:path'
import { countImages } from '#database/catalog/image-rows.ts'
import { completeAllImages } from '#shop/content/image-sizes.ts'
import type { Command } from '../shared/command.ts'

export const imagesCommand: Command = {
  usage: 'images [--make]',
  summary:
    'Shows how many pictures still lack sizes. A running shop makes them in the background; --make makes them now.',

  async run(args, { dataDir, progress, say, print, ...tools }) {
    const unknown = args.find((arg) => arg !== '--make')
    if (unknown !== undefined) {
      say(`Error: unknown option ${unknown}. Type "images" or "images --make".`)
      return 2
    }
    let failed = 0
    if (args.length > 0) {
      failed = await completeAllImages(
        tools,
        join(dataDir, 'media'),
        (made, of) => progress(`Making sizes: ${made} of ${of} pictures`),
        (id, error) => say(`Warning: the sizes of picture ${id} were not made: ${reasonOf(error)}`),
      )
      progress('')
    }
    const { all, unfinished } = await countImages(tools.db.kysely)
    print(`${all} pictures: ${all - unfinished} complete, ${unfinished} without all sizes.`)
    return failed > 0 ? 1 : 0
  },
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
