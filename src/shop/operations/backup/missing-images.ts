import { readdir } from 'node:fs/promises'
import type { Database } from '#database/engine/connect.ts'

/**
 * Counts the shop's images, and those without a file. If all are missing, the folder is wrong: the command has another
 * `DATA_DIR` than the shop.
 * @param mediaDir contains `<hash>.upload` and `<hash>-<width>.avif`
 */
export async function missingPictures(
  { kysely }: Pick<Database, 'kysely'>,
  mediaDir: string,
): Promise<{ readonly known: number; readonly lost: number }> {
  const pictures = await kysely.selectFrom('images').select('hash').execute()
  const names = await readdir(mediaDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  const there = new Set(names.map((name) => /^[^-.]+/.exec(name)?.[0]))
  return { known: pictures.length, lost: pictures.filter(({ hash }) => !there.has(hash)).length }
}
