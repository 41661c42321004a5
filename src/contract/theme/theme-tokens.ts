import type { TokenKind } from './token-values.ts'

/**
 * The declarations of `styles/tokens.css`: names and kinds for the settings, and colours for contrast checks. Written
 * by the test beside it.
 */
export const themeTokens = {
  '--ground': { kind: 'colour', light: 'oklch(0.99 0.003 165)', dark: 'oklch(0.185 0.012 178)' },
  '--surface': { kind: 'colour', light: 'oklch(0.963 0.007 165)', dark: 'oklch(0.228 0.014 178)' },
  '--ink': { kind: 'colour', light: 'oklch(0.235 0.022 180)', dark: 'oklch(0.945 0.008 165)' },
  '--ink-soft': { kind: 'colour', light: 'oklch(0.475 0.018 180)', dark: 'oklch(0.74 0.014 170)' },
  '--line': { kind: 'colour', light: 'oklch(0.895 0.008 170)', dark: 'oklch(0.32 0.014 178)' },
  '--line-strong': { kind: 'colour', light: 'oklch(0.6 0.014 175)', dark: 'oklch(0.56 0.016 176)' },
  '--accent': { kind: 'colour', light: 'oklch(0.385 0.07 172)', dark: 'oklch(0.85 0.048 168)' },
  '--accent-hover': { kind: 'colour', light: 'oklch(0.31 0.06 172)', dark: 'oklch(0.93 0.035 168)' },
  '--on-accent': { kind: 'colour', light: 'oklch(0.99 0.003 165)', dark: 'oklch(0.2 0.02 178)' },
  '--focus': { kind: 'colour', light: 'var(--accent)', dark: 'var(--accent)' },
  '--sale': { kind: 'colour', light: 'oklch(0.5 0.155 32)', dark: 'oklch(0.79 0.11 45)' },
  '--bad': { kind: 'colour', light: 'oklch(0.5 0.17 27)', dark: 'oklch(0.78 0.12 27)' },
  '--good': { kind: 'colour', light: 'oklch(0.46 0.1 155)', dark: 'oklch(0.82 0.1 155)' },
  '--veil': { kind: 'colour', light: 'oklch(0.2 0.02 180 / 0.4)', dark: 'oklch(0.1 0.01 180 / 0.6)' },
  '--serif': { kind: 'fonts' },
  '--sans': { kind: 'fonts' },
  '--weight-heading': { kind: 'number' },
  '--weight-display': { kind: 'number' },
  '--weight-strong': { kind: 'number' },
  '--step--1': { kind: 'length' },
  '--step-0': { kind: 'length' },
  '--step-1': { kind: 'length' },
  '--step-2': { kind: 'length' },
  '--step-3': { kind: 'length' },
  '--step-4': { kind: 'length' },
  '--space-1': { kind: 'length' },
  '--space-2': { kind: 'length' },
  '--space-3': { kind: 'length' },
  '--space-4': { kind: 'length' },
  '--space-5': { kind: 'length' },
  '--space-6': { kind: 'length' },
  '--page': { kind: 'length' },
  '--gutter': { kind: 'length' },
  '--gap': { kind: 'length' },
  '--section': { kind: 'length' },
  '--measure': { kind: 'length' },
  '--touch': { kind: 'length' },
  '--row': { kind: 'length' },
  '--radius': { kind: 'length' },
  '--radius-round': { kind: 'length' },
  '--shadow-menu': { kind: 'shadow' },
  '--shadow-drawer': { kind: 'shadow' },
  '--ease': { kind: 'time', light: 'cubic-bezier(0.2, 0, 0, 1)', dark: 'cubic-bezier(0.2, 0, 0, 1)' },
  '--quick': { kind: 'time', light: '160ms var(--ease)', dark: '160ms var(--ease)' },
  '--drawer': { kind: 'time', light: '250ms var(--ease)', dark: '250ms var(--ease)' },
  '--slow': { kind: 'time', light: '600ms var(--ease)', dark: '600ms var(--ease)' },
  '--layer-list': { kind: 'number' },
  '--layer-header': { kind: 'number' },
  '--layer-drawer': { kind: 'number' },
  '--layer-bar': { kind: 'number' },
  '--layer-skip': { kind: 'number' },
} as const satisfies Readonly<
  Record<`--${string}`, { readonly kind: TokenKind; readonly light?: string; readonly dark?: string }>
>

export type TokenName = keyof typeof themeTokens
