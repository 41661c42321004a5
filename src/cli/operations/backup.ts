import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { missingPictures } from '#shop/operations/backup/missing-images.ts'
import { takeBackup } from '#shop/operations/backup/take-backup.ts'
import type { Command } from '../shared/command.ts'

export const backupCommand: Command = {
  usage: 'backup <file>',
  summary:
    'Writes orders, customers, products, settings and files of the shop into one file, while it sells. ' +
    'Keep the file as safe as the shop: it holds everything that customers have told.',

  async run(args, { db, clock, dataDir, root, say, progress }) {
    const [name = '', ...more] = args
    if (name === '' || name.startsWith('-') || more.length > 0) {
      say('backup <file>: where to write it, for example backup shop.tar.zst')
      return 2
    }
    const file = resolve(name)
    if (existsSync(file)) {
      say(`${file} is there already: name another file.`)
      return 1
    }
    if (existsSync(`${file}.partial`)) {
      say(
        `${file}.partial is there: another backup is writing it, or was broken off. Remove it then, or name another file.`,
      )
      return 1
    }
    if (!existsSync(dirname(file))) {
      say(`There is no folder ${dirname(file)} to write it into.`)
      return 1
    }
    const { version: program }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const report = await takeBackup(
      { db, clock },
      {
        file,
        dataDir,
        program,
        onProgress: ({ bytes, what }) => progress(`${megabytes(bytes)} read: ${what}`),
      },
    )
    progress('')
    const { tables, rows, files, bytes } = report
    say(`${file}: ${rows} rows of ${tables} tables and ${files} files.`)
    say(`${megabytes(bytes)}, ${megabytes(statSync(file).size)} compressed.`)
    const mediaDir = resolve(dataDir, 'media')
    const { known, lost } = await missingPictures(db, mediaDir)
    if (lost === 0) return 0
    say(`${lost} of ${known} pictures are missing in it: they are not in ${mediaDir}. Is DATA_DIR as the shop has it?`)
    return 1
  },
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
