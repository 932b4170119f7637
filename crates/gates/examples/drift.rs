use std::io::BufRead;
fn main(){ for l in std::io::stdin().lock().lines(){ let l=l.unwrap(); let v:serde_json::Value=serde_json::from_str(&l).unwrap();
 let t:Vec<String>=v["thoughts"].as_array().unwrap().iter().map(|x|x.as_str().unwrap().to_owned()).collect();
 if std::env::var_os("DEBUG").is_some(){ for x in &t { eprintln!("{x}\n   {}",proctor_gates::drift::debug(x)); } }
 let j=proctor_gates::drift::judge(&t);
 println!("{}",serde_json::json!({"id":v["id"],"stuck":j.stuck,"why":format!("{} {:?}",j.why,j.news),"r":j.repeats,"p":j.period}));}}
