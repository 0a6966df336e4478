/** Browsers keep a page as an app, and take messages for it, only where the way to it is secure. */
export const isInstallable = (publicUrl: URL | null): publicUrl is URL =>
  publicUrl !== null && (publicUrl.protocol === 'https:' || publicUrl.hostname === 'localhost');
