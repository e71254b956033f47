//! Pipelines that a driver has compiled, kept in the user's cache folder: one file an adapter,
//! `polhode/wgpu_pipeline_cache_...`.
//!
//! A file is the XXH3 of the data that the driver gave, and the data. A file that is damaged,
//! foreign or too long counts as none, and a folder that cannot be written costs the time of
//! compiling again: no result depends on either. Drivers check for themselves that the data is of
//! their version. Adapters without such a cache (all but Vulkan's) keep nothing.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use twox_hash::XxHash3_64;

/// Longest file (bytes). A longer one is given up, and begun anew: nobody else throws
/// away what is no longer used.
const LONGEST: u64 = 64 << 20;
const HASH: usize = size_of::<u64>();

/// The cache of an open device.
pub struct PipelineCache {
    pub cache: wgpu::PipelineCache,
    file: PathBuf,
    /// The hash of what the file holds.
    stored: Option<u64>,
}

impl PipelineCache {
    /// The feature that a device needs for it.
    pub const FEATURE: wgpu::Features = wgpu::Features::PIPELINE_CACHE;

    /// That of the user's cache folder, if the device has one.
    pub fn open(device: &wgpu::Device, adapter: &wgpu::AdapterInfo) -> Option<PipelineCache> {
        let folder = etcetera::choose_base_strategy().ok()?.cache_dir().join("polhode");
        Self::within(&folder, device, adapter)
    }

    fn within(folder: &Path, device: &wgpu::Device, adapter: &wgpu::AdapterInfo) -> Option<PipelineCache> {
        if !device.features().contains(Self::FEATURE) {
            return None;
        }
        let file = folder.join(wgpu::util::pipeline_cache_key(adapter)?);
        let data = read(&file);
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        // SAFETY: the data is what `get_data` returned for an adapter of this key, by the name of
        // the file, and nobody has changed it by accident, by its hash.
        let cache = unsafe {
            device.create_pipeline_cache(&wgpu::PipelineCacheDescriptor {
                label: Some("polhode"),
                data: data.as_deref(),
                fallback: true,
            })
        };
        let refused = pollster::block_on(scope.pop()).is_some();
        let stored = data.map(|data| XxHash3_64::oneshot(&data));
        (!refused).then_some(PipelineCache { cache, file, stored })
    }

    /// Writes what the driver knows by now, unless the file has it.
    pub fn store(&mut self) {
        let Some(data) = self.cache.get_data() else { return };
        let hash = XxHash3_64::oneshot(&data);
        if self.stored != Some(hash) && write(&self.file, &data, hash).is_ok() {
            self.stored = Some(hash);
        }
    }
}

/// The data of a file; none of one that is not there, too long or not whole.
fn read(file: &Path) -> Option<Vec<u8>> {
    let length = std::fs::metadata(file).ok().filter(std::fs::Metadata::is_file)?.len();
    if length > LONGEST {
        return None;
    }
    let mut bytes = std::fs::read(file).ok()?;
    let hash = u64::from_le_bytes(*bytes.first_chunk::<HASH>()?);
    let data = bytes.split_off(HASH);
    (XxHash3_64::oneshot(&data) == hash).then_some(data)
}

/// Puts a whole file in its place, whatever other runs do at the same time.
fn write(file: &Path, data: &[u8], hash: u64) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut beside = tempfile::NamedTempFile::new_in(folder)?;
    beside.write_all(&hash.to_le_bytes())?;
    beside.write_all(data)?;
    beside.persist(file)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("caches").join("one");
        assert_eq!(read(&file), None);
        let data = [3, 1, 4, 1, 5];
        write(&file, &data, XxHash3_64::oneshot(&data)).expect("written");
        assert_eq!(read(&file).as_deref(), Some(&data[..]));
        let whole = std::fs::read(&file).expect("bytes");
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            std::fs::write(&file, &damaged).expect("written");
            assert_eq!(read(&file), None, "byte {at}");
            std::fs::write(&file, &whole[..at]).expect("written");
            assert_eq!(read(&file), None, "{at} bytes");
        }
        // A folder in its place.
        std::fs::remove_file(&file).expect("removed");
        std::fs::create_dir(&file).expect("a folder");
        assert!(read(&file).is_none() && write(&file, &data, 0).is_err());
    }
}
