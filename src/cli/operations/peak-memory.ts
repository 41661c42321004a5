import { readFileSync } from 'node:fs'
import { platform, resourceUsage } from 'node:process'

/**
 * Returns the peak memory of this process, in megabytes (2^20 bytes).
 *
 * On Linux, `maxRSS` starts at the peak of the program that started this one (`getrusage(2)` keeps it over `execve(2)`).
 * `VmHWM` of `proc_pid_status(5)` is the peak of this process alone.
 */
export function peakMegabytes(): number {
  const kilobytes = platform === 'linux' ? ownHighWater() : undefined
  return Math.round((kilobytes ?? resourceUsage().maxRSS) / 1024)
}

function ownHighWater(): number | undefined {
  try {
    const [, digits] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return digits === undefined ? undefined : Number(digits)
  } catch {
    // A container may hide /proc.
    return undefined
  }
}
