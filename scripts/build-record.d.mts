export function isBuilt(root: string): boolean
export function recorded(root: string, build: () => void): void
