import { join } from 'node:path'
import { findSoldFiles, findWithdrawnFiles, type SoldFile } from '#database/orders/downloads.ts'
import { findStoredFile } from '../../orders/downloads/stored-file.ts'
import type { Tools } from '../../shared/tools.ts'
import type { LiveFinding } from './check-live.ts'

type CheckTools = Pick<Tools, 'db' | 'clock' | 'network'> & {
  /** The data folder. */
  readonly dataDir: string
}

const mostNamed = 20
const mostAsked = 50
const timeoutMs = 8_000

/**
 * Checks that every sold file can be downloaded.
 * @param elsewhere whether to request files on other servers
 */
export async function checkDownloads(tools: CheckTools, elsewhere: boolean): Promise<LiveFinding[]> {
  const { db, clock, dataDir } = tools
  const folder = join(dataDir, 'downloads')
  const [sold, withdrawn] = await Promise.all([
    findSoldFiles(db.kysely),
    findWithdrawnFiles(db.kysely, clock.now(), mostNamed),
  ])
  const found: LiveFinding[] = []
  let present = 0
  let asked = 0
  for (const file of sold) {
    if (file.url === null) {
      const advice = 'Import it again with --update and its file in the column "Download 1 URL".'
      found.push({ what: `${nameOf(file)} is downloadable and sold without a file`, state: 'look', advice })
    } else if (/^https?:\/\//i.test(file.url)) {
      if (!elsewhere || asked === mostAsked) continue
      asked += 1
      found.push(...(await askFor(tools, file.url, file)))
    } else if (await findStoredFile(folder, file.url)) present += 1
    else {
      const advice = 'Put it there, or import the product again with --update and the file beside the product file.'
      found.push({ what: `the file ${file.url} of ${nameOf(file)} is not in ${folder}`, state: 'missing', advice })
    }
  }
  for (const { orders, file, ...product } of withdrawn) {
    const what = `${orders} ${orders === 1 ? 'order' : 'orders'} may fetch "${file}", which ${nameOf(product)} no longer has`
    found.push({ what, state: 'missing', advice: 'Give the product its file back, in the same place of its list.' })
  }
  if (present > 0) {
    found.unshift({ what: `${present} sold ${present === 1 ? 'file is' : 'files are'} there`, state: 'ok', advice: '' })
  }
  const named = found.slice(0, mostNamed)
  if (found.length > mostNamed) {
    const what = `${found.length - mostNamed} more findings about sold files`
    named.push({ what, state: 'look', advice: 'They are listed once these are fixed.' })
  }
  return named
}

const nameOf = ({ name, sku }: Pick<SoldFile, 'name' | 'sku'>) => `"${name}" (${sku ?? 'no SKU'})`

async function askFor(tools: CheckTools, url: string, product: SoldFile): Promise<LiveFinding[]> {
  const advice = 'Buyers are sent to this address: correct it, or import the product with the file itself.'
  const what = `the file ${url} of ${nameOf(product)}`
  try {
    const { status } = await tools.network.fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      reach: 'internet',
    })
    if (status === 404 || status === 410)
      return [{ what: `${what} is gone (status ${status})`, state: 'missing', advice }]
    return []
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [{ what: `${what} could not be asked for (${reason})`, state: 'look', advice }]
  }
}
