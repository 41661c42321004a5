import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** What this process holds on its heap when all garbage is gone, in megabytes. */
export function liveHeapMb(): number {
  collect()
  return process.memoryUsage().heapUsed / 1e6
}
