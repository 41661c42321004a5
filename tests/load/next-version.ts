import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The same shop with some migrations more, in a folder of its own. @returns the folder */
export async function nextVersion(folder: string, nextMigrations: readonly string[]): Promise<string> {
  await mkdir(join(folder, 'dist'), { recursive: true })
  // The server as it is built, and what commands run from.
  for (const code of ['dist/server', 'dist/migrations', 'src'])
    await cp(join(root, code), join(folder, code), { recursive: true })
  for (const migrations of ['dist/migrations', 'src/database/migrations']) {
    const { length } = await readdir(join(folder, migrations))
    for (const [at, text] of nextMigrations.entries()) {
      const name = `${String(length + 1 + at).padStart(4, '0')}_next_version.sql`
      await writeFile(join(folder, migrations, name), `${text};\n`)
    }
  }
  for (const name of ['node_modules', 'content', 'translations', 'demo', 'emulator', 'package.json', 'dist/client']) {
    await symlink(join(root, name), join(folder, name))
  }
  return folder
}
