import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { makeFolders } from '#database/engine/embedded/make-folders.ts'

/** A setting names a resource of this machine that the shop cannot use; the message names it. */
export class PlaceError extends Error {
  override readonly name = 'PlaceError'
}

export class PortTakenError extends Error {
  override readonly name = 'PortTakenError'
  constructor(port: number) {
    super(`PORT: ${port} is taken by another program`)
  }
}

/**
 * @throws PlaceError if this machine lacks the address, or the user may not open the port; a port in use is no error
 */
export async function checkListening(host: string, port: number): Promise<void> {
  const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    const probe = createServer().once('error', resolve)
    probe.listen(port, host, () => probe.close(() => resolve(null)))
  })
  if (error === null || error.code === 'EADDRINUSE') return
  throw new PlaceError(
    error.code === 'EACCES'
      ? `PORT: the shop's user may not open port ${port}: ${error.message}`
      : `HOST: this machine has no address ${host}: ${error.message}`,
  )
}

/**
 * Creates the data folder if it is missing. Outgoing emails and images are written there much later, when no operator
 * is watching.
 * @throws PlaceError if it, or a folder in it that the shop writes to, is not writable
 */
export async function checkDataFolder(dataDir: string): Promise<void> {
  const fault = await writeFault(dataDir)
  const made = fault?.code === 'ENOENT' ? await makeFolders(dataDir).then(() => null, asError) : fault
  const within = await Promise.all(['media', 'outbox'].map((name) => writeFault(join(dataDir, name))))
  // Folders in it are created on first use.
  const refused = [made, ...within.filter((one) => one?.code !== 'ENOENT')].find((one) => one !== null)
  if (refused) throw new PlaceError(`DATA_DIR: the shop cannot write to ${dataDir}: ${refused.message}`)
}

const asError = (error: NodeJS.ErrnoException) => error
const writeFault = (folder: string) => access(folder, constants.W_OK | constants.X_OK).then(() => null, asError)
