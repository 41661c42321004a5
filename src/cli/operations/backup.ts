import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { missingPictures } from '#shop/operations/backup/missing-images.ts'
import { takeBackup } from '#shop/operations/backup/take-backup.ts'
import { singleCommand } from '../shared/command-group.ts'
import { fail } from '../shared/messages.ts'

export const backupCommand = singleCommand('backup', {
  usage: '<file>',
  summary:
    'Writes orders, customers, products, settings and files into one file, while the shop runs. The file holds all personal ' +
    'data of the shop: protect it as you protect the shop.',
  example: 'shop.tar.zst',
  options: {},
  words: [1, 1],
  async run([name = ''], _, context) {
    const { db, clock, dataDir, root, say, progress } = context
    const file = resolve(name)
    if (existsSync(file)) return fail(context, `${file} exists already. Name another file.`)
    if (existsSync(`${file}.partial`))
      return fail(
        context,
        `${file}.partial exists: a backup is running or was interrupted. Name another file, or remove it if none runs.`,
      )
    if (!existsSync(dirname(file))) return fail(context, `folder ${dirname(file)} does not exist. Create it first.`)
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
    const size = `${megabytes(bytes)}, ${megabytes(statSync(file).size)} compressed`
    say(`Backed up ${rows} rows of ${tables} tables and ${files} files to ${file} (${size}).`)
    const mediaDir = resolve(dataDir, 'media')
    const { known, lost } = await missingPictures(db, mediaDir)
    if (lost === 0) return 0
    return fail(
      context,
      `${lost} of ${known} images are missing in the backup: they are not in ${mediaDir}. Set DATA_DIR as the shop has it.`,
    )
  },
})

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
