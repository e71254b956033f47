//! Still pictures in WebP put together to one that moves.
//! <https://developers.google.com/speed/webp/docs/riff_container>

/// The chunks of a still picture that a moving one keeps: its pixels, and where they are
/// transparent.
const KEPT: [&[u8; 4]; 3] = [b"ALPH", b"VP8 ", b"VP8L"];
/// A flag of VP8X: the file moves. One of frames: they are not blended with what was there.
const MOVES: u8 = 0x02;
const UNBLENDED: u8 = 0x02;

/// A picture of so many pixels that shows each frame for `duration` (ms), again and again. `None`:
/// a frame is no WebP.
pub fn moving(frames: &[Vec<u8>], [width, height]: [u32; 2], duration: u32) -> Option<Vec<u8>> {
    let three = |x: u32| x.to_le_bytes().into_iter().take(3);
    let size: Vec<u8> = three(width - 1).chain(three(height - 1)).collect();
    let mut body = b"WEBP".to_vec();
    chunk(&mut body, b"VP8X", &[&[MOVES, 0, 0, 0], &size[..]].concat());
    // Colour behind the frames, white; shown without end.
    chunk(&mut body, b"ANIM", &[255, 255, 255, 255, 0, 0]);
    for frame in frames {
        let mut data = vec![0; 6];
        data.extend(&size);
        data.extend(three(duration));
        data.push(UNBLENDED);
        data.extend(pixels(frame)?);
        chunk(&mut body, b"ANMF", &data);
    }
    let mut file = Vec::new();
    chunk(&mut file, b"RIFF", &body);
    Some(file)
}

/// A chunk: its name, its length, its content, even.
fn chunk(to: &mut Vec<u8>, name: &[u8; 4], content: &[u8]) {
    to.extend(name);
    to.extend((content.len() as u32).to_le_bytes());
    to.extend(content);
    to.extend(vec![0; content.len() % 2]);
}

/// The chunks of a still picture with its pixels.
fn pixels(picture: &[u8]) -> Option<Vec<u8>> {
    let mut rest = picture.strip_prefix(b"RIFF")?.get(4..)?.strip_prefix(b"WEBP")?;
    let mut kept = Vec::new();
    while let Some((head, content)) = rest.split_first_chunk::<8>() {
        let (name, length) = head.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(length.try_into().ok()?) as usize;
        let content = content.get(..length)?;
        if KEPT.contains(&name) {
            chunk(&mut kept, name, content);
        }
        rest = rest.get(8 + length + length % 2..).unwrap_or_default();
    }
    (!kept.is_empty()).then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn still(content: &[u8]) -> Vec<u8> {
        let mut body = b"WEBP".to_vec();
        chunk(&mut body, b"ICCP", b"left out");
        chunk(&mut body, b"VP8 ", content);
        let mut file = Vec::new();
        chunk(&mut file, b"RIFF", &body);
        file
    }

    /// Frames keep their pixels, in turn, and odd lengths are filled.
    #[test]
    fn frames_follow_each_other() {
        let file = moving(&[still(b"abc"), still(b"defg")], [640, 427], 50).unwrap();
        assert_eq!(file.len() % 2, 0);
        assert_eq!(u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize, file.len() - 8);
        let [a, b] = [&b"VP8 \x03\0\0\0abc\0"[..], b"VP8 \x04\0\0\0defg"]
            .map(|part| file.windows(part.len()).position(|window| window == part).unwrap());
        assert!(a < b);
        assert_eq!(file[a - 16..a], [0, 0, 0, 0, 0, 0, 127, 2, 0, 170, 1, 0, 50, 0, 0, 2]);
        assert!(!file.windows(4).any(|window| window == b"ICCP"));
        assert!(moving(&[b"GIF89a".to_vec()], [1, 1], 1).is_none());
        let mut cut = still(b"abcdef");
        cut.truncate(cut.len() - 3);
        assert!(moving(&[cut], [1, 1], 1).is_none());
    }
}
