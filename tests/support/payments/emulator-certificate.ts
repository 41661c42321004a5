import { emulatorCertificate } from '../../../emulator/create-world.ts'

let made: ReturnType<typeof emulatorCertificate> | undefined

/** One for all emulators of a worker: making its key costs as much as starting a shop. An emulator that gets none makes its own. */
export const sharedCertificate = () => {
  made ??= emulatorCertificate(new Date())
  return made
}
