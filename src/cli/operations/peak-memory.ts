import { readFileSync } from 'node:fs'
import { platform, resourceUsage } from 'node:process'

/**
 * The most memory this program has had so far, in megabytes (2^20 bytes).
 *
 * On Linux `maxRSS` begins at what the program had that started this one (`getrusage(2)` keeps it over `execve(2)`), so there
 * the high-water mark of the process's own memory is read (`VmHWM` of `proc_pid_status(5)`).
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
