import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { makeFolders } from '#database/engine/embedded/make-folders.ts'

/** A setting names a place on this machine that the shop cannot have; the message says which. */
export class PlaceError extends Error {
  override readonly name = 'PlaceError'
}

export class PortTakenError extends Error {
  override readonly name = 'PortTakenError'
  constructor(port: number) {
    super(`PORT: ${port} is taken by another program`)
  }
}

/** @throws PlaceError where this machine has no such address, or its user may not have the port; a taken one is none */
export async function checkListening(host: string, port: number): Promise<void> {
  const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    const probe = createServer().once('error', resolve)
    probe.listen(port, host, () => probe.close(() => resolve(null)))
  })
  if (error === null || error.code === 'EADDRINUSE') return
  throw new PlaceError(
    error.code === 'EACCES'
      ? `PORT: ${port} may not be opened by the user who runs the shop: ${error.message}`
      : `HOST: ${host} is no address of this machine: ${error.message}`,
  )
}

/**
 * Makes the folder of the shop's own files where there is none. Messages without a mail server and pictures are written there much
 * later, when nobody looks any more.
 * @throws PlaceError where it, or one in it that the shop writes to, belongs to somebody else or is read-only
 */
export async function checkDataFolder(dataDir: string): Promise<void> {
  const fault = await writeFault(dataDir)
  const made = fault?.code === 'ENOENT' ? await makeFolders(dataDir).then(() => null, asError) : fault
  const within = await Promise.all(['media', 'outbox'].map((name) => writeFault(join(dataDir, name))))
  // Those in it are made once there is something to put into them.
  const refused = [made, ...within.filter((one) => one?.code !== 'ENOENT')].find((one) => one !== null)
  if (refused) throw new PlaceError(`DATA_DIR: the shop cannot write to ${dataDir}: ${refused.message}`)
}

const asError = (error: NodeJS.ErrnoException) => error
const writeFault = (folder: string) => access(folder, constants.W_OK | constants.X_OK).then(() => null, asError)
