import { readdir } from 'node:fs/promises'

/** Name of the file of a static page, in the shop's own language or another: `about.md`, `about.de.md`. */
export const pageFileName = /^([a-z0-9]+(?:-[a-z0-9]+)*)(?:\.([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*))?\.md$/

/** @returns the slugs of the static pages in a folder; none if it is missing */
export async function pageSlugsIn(folder: string): Promise<ReadonlySet<string>> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  const slugs = names.flatMap((name) => {
    const [, slug, language] = pageFileName.exec(name) ?? []
    return slug !== undefined && language === undefined ? [slug] : []
  })
  return new Set(slugs)
}
