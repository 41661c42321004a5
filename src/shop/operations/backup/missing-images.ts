import { readdir } from 'node:fs/promises'
import type { Database } from '#database/engine/connect.ts'

/**
 * How many pictures the shop knows, and how many of them have no file. All are lost where the folder is: whoever gives a command
 * has another `DATA_DIR` than the shop.
 * @param mediaDir holds `<hash>.upload` and `<hash>-<width>.avif`
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
